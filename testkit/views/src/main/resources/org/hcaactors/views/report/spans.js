// Intervals between events, indexed so that those in the visible part of a run are found quickly.

const BLOCK = 256;

class Spans {
  /** @param starts ascending; an end before its start means an interval of one event */
  constructor(starts, ends, count) {
    this.starts = starts;
    this.ends = ends;
    this.leaves = 1;
    while (this.leaves < count / BLOCK + 1) { this.leaves *= 2; }
    // A tree over the blocks: a node holds the intervals that cover all of its blocks, so a long one is in few nodes.
    this.over = Array.from({ length: 2 * this.leaves }, () => []);
    for (let i = 0; i < starts.length; i++) { this.cover(i, Math.floor(starts[i] / BLOCK) + 1, Math.floor(ends[i] / BLOCK)); }
  }

  cover(which, first, last) {
    let low = this.leaves + first;
    let high = this.leaves + last + 1;
    while (low < high) {
      if (low & 1) { this.over[low++].push(which); }
      if (high & 1) { this.over[--high].push(which); }
      low >>= 1;
      high >>= 1;
    }
  }

  /** Calls back with each interval that overlaps the events from first to last. */
  each(first, last, use) {
    const block = Math.floor(first / BLOCK);
    for (let node = this.leaves + block; node >= 1; node >>= 1) {
      for (const i of this.over[node]) {
        if (this.ends[i] >= first) { use(i); }
      }
    }
    for (let i = this.from(block * BLOCK); i < this.starts.length && this.starts[i] <= last; i++) {
      if (Math.max(this.starts[i], this.ends[i]) >= first) { use(i); }
    }
  }

  /** The first interval that starts there or later. */
  from(start) {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] < start) { low = middle + 1; } else { high = middle; }
    }
    return low;
  }
}
