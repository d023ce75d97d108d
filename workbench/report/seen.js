/* What a page has seen of a running bench, in memory that does not grow: as couplant.bench.live.history keeps it. */

const RECENT = 2000, OVERVIEW = 1000;

/* Rows of a table: the newest as they came, all others evenly thinned. */
class Course {
  constructor(rows = []) {
    this.recent = rows.slice(-RECENT);
    this.old = rows.slice(0, -RECENT);
    this.stride = 1;
    this.count = 0;
  }

  add(row) {
    this.recent.push(row);
    if (this.recent.length > RECENT) {
      const oldest = this.recent.shift();
      if (this.count % this.stride === 0) this.old.push(oldest);
      this.count += 1;
    }
    if (this.old.length > OVERVIEW) {
      this.old = this.old.filter((_, i) => i % 2 === 0);
      this.stride *= 2;
    }
  }

  get rows() {
    return this.old.concat(this.recent);
  }
}

export class Seen {
  constructor() {
    this.clear();
  }

  clear() {
    this.courses = new Map();
    this.newest = -1;
  }

  of(run, side) {
    const key = `${run} ${side}`;
    if (!this.courses.has(key)) this.courses.set(key, { points: new Course(), figures: new Course() });
    return this.courses.get(key);
  }

  /* A frame of a side. */
  add({ case: run, side, points, time, latency, counts, status, skill, energy }) {
    const found = this.of(run, side);
    for (const point of points) found.points.add(point);
    found.figures.add([time, latency, counts, status, skill, energy]);
    this.newest = Math.max(this.newest, run);
  }

  /* All that was seen of a side in a run. */
  restore({ case: run, side, points, figures }) {
    this.courses.set(`${run} ${side}`, { points: new Course(points), figures: new Course(figures) });
    this.newest = Math.max(this.newest, run);
  }

  points(run, side) {
    return this.of(run, side).points.rows;
  }

  figures(run, side) {
    return this.of(run, side).figures.rows;
  }

  /* First and last time of a run. */
  ends(run) {
    const found = [...this.courses].filter(([key]) => key.startsWith(`${run} `)).map(([, one]) => one.figures.rows);
    const times = found.filter((rows) => rows.length).flatMap((rows) => [rows[0][0], rows[rows.length - 1][0]]);
    return times.length ? [Math.min(...times, 0), Math.max(...times)] : [0, 0];
  }
}
