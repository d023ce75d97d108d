// What the page leaves to the command: networks, models of prototypes, weights of a derivative. `left_to_command`
// refuses their FMUs before any of these is asked; a signal without such a model has none here either.

export function plant_of() {
  return null;
}

export function neural_weights() {
  throw new Error("The page has no networks.");
}

export function hermite() {
  throw new Error("The page has no weights of a derivative.");
}
