/* Which part of a recording judges, which one designs are made of, and at how many points. */

const MADE_OF = 0.6;
const MOST_JUDGED = 10000;

/* The macro steps that judge, first to before last: what `couplant inspect` has for that, the last two fifths. */
export function judgedSpan(size) {
  const first = Math.trunc(MADE_OF * size);
  return [first, Math.min(size, first + MOST_JUDGED)];
}

/* Communication steps in a macro step that count: in event timing macro points decide. */
export const stepsIn = ({ timing, microSteps }) => (timing === "step" ? microSteps : 1);
