// What reaches from one event to another, to be found by what part of a run is seen.

const BLOCK = 256;

class Spans {
  /** @param starts growing; an end may be -1: it reaches no further than its start */
  constructor(starts, ends, count) {
    this.starts = starts;
    this.ends = ends;
    this.crossing = Array.from({ length: Math.floor(count / BLOCK) + 1 }, () => []);
    for (let i = 0; i < starts.length; i++) {
      const last = Math.floor(ends[i] / BLOCK);
      for (let block = Math.floor(starts[i] / BLOCK) + 1; block <= last; block++) { this.crossing[block].push(i); }
    }
  }

  /** Calls back with each that touches the events from first to last. */
  each(first, last, use) {
    const block = Math.floor(first / BLOCK);
    for (const i of this.crossing[block] || []) {
      if (this.ends[i] >= first) { use(i); }
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
