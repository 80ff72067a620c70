// What reaches from one event to another, to be found by what part of a run is seen.

const BLOCK = 256;

class Spans {
  /** @param starts growing; an end before its start: it reaches no further than that */
  constructor(starts, ends, count) {
    this.starts = starts;
    this.ends = ends;
    this.leaves = 1;
    while (this.leaves < count / BLOCK + 1) { this.leaves *= 2; }
    // A tree over the blocks: a node holds what covers all of its blocks, so that a long one stands in few of them.
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

  /** Calls back with each that touches the events from first to last. */
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

  /** The first that starts there or later. */
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
