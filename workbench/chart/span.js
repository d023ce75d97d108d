/* The part of a quantity that linked charts show. */

const LEAST = 1e-4;

export class Span {
  /* `least` is the shortest part that can be shown; without it a share of all. */
  constructor(logarithmic = false, least = 0) {
    this.least = least;
    this.to = logarithmic ? Math.log10 : (v) => v;
    this.from = logarithmic ? (v) => 10 ** v : (v) => v;
    this.full = [0, 1];
    this.shown = [0, 1];
    this.followers = [];
  }

  /* All of it is from `from` to `to`; a part that is shown already stays where it is there still. */
  setFull(from, to) {
    const whole = this.shown[0] === this.full[0] && this.shown[1] === this.full[1];
    if (from === this.full[0] && to === this.full[1]) return;
    this.full = [from, to];
    if (whole) this.reset(); else this.show(...this.shown);
  }

  show(from, to) {
    const [low, high] = this.full.map(this.to);
    const length = Math.min(Math.max(this.to(to) - this.to(from), this.least || LEAST * (high - low)), high - low);
    const start = Math.min(Math.max(this.to(from), low), high - length);
    this.shown = [this.from(start), this.from(start + length)];
    if (length === high - low) this.shown = [...this.full];
    for (const follow of this.followers) follow(this.shown);
  }

  reset() {
    this.show(...this.full);
  }

  /* Makes it `factor` times as long about `at`, the middle if that is not given. */
  zoom(factor, at) {
    const [from, to] = this.shown.map(this.to), middle = at === undefined ? (from + to) / 2 : this.to(at);
    this.show(this.from(middle - factor * (middle - from)), this.from(middle + factor * (to - middle)));
  }

  /* Moves it by a part of its length from where it is, or was when `shown` was seen. */
  move(part, shown = this.shown) {
    const [from, to] = shown.map(this.to), by = part * (to - from);
    this.show(this.from(from + by), this.from(to + by));
  }
}
