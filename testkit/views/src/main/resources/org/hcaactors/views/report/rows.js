// Rows: which events are visible, and their positions. Either one row per event, or to scale with long gaps shortened.

const STEPS = [2, 4, 7, 11, 15, 20, 28, 40];
const NORMAL_STEP = 5;
/** Browsers draw no higher element. */
const MOST_PIXELS = 15e6;
/** Maximum height of a gap, in rows. */
const TORN = 4;

class Rows {
  constructor(trace) {
    this.trace = trace;
    this.mode = 'rows';
    this.step = NORMAL_STEP;
    this.lay(new Uint8Array(trace.count).fill(1));
  }

  /** @param shown 1 for each event that has a row */
  lay(shown) {
    this.shown = shown;
    this.rowAt = new Int32Array(this.trace.count);
    const events = [];
    for (let i = 0; i < this.trace.count; i++) {
      if (shown[i] === 1) { events.push(i); }
      this.rowAt[i] = Math.max(0, events.length - 1);
    }
    this.events = Int32Array.from(events);
    this.y = new Float64Array(events.length);
    this.torn = new Map();
    if (events.length === 0) { this.height = 0; return; }
    const size = Math.min(STEPS[this.step], MOST_PIXELS / events.length);
    if (this.mode === 'rows') { this.layRows(size); } else { this.layTime(size); }
    this.height = this.y[this.y.length - 1] + 60;
  }

  layRows(size) {
    const usual = this.usualGap();
    for (let row = 0; row < this.y.length; row++) {
      this.y[row] = 20 + row * size;
      const gap = this.gap(row);
      if (gap > 50 * usual && gap >= 1000) { this.torn.set(row, gap); }
    }
  }

  layTime(size) {
    const usual = this.usualGap();
    // Simultaneous events are in adjacent rows, as they could not be distinguished on one line.
    const most = Math.min(TORN * Math.max(size, 12), MOST_PIXELS / this.y.length);
    const least = Math.min(size * 0.6, most);
    this.y[0] = 20;
    for (let row = 1; row < this.y.length; row++) {
      const gap = this.gap(row);
      const exact = gap / usual * size * 2;
      this.y[row] = this.y[row - 1] + Math.max(least, Math.min(exact, most));
      if (exact > most) { this.torn.set(row, gap); }
    }
  }

  /** On a real clock with several threads, an event that was recorded later may have happened earlier. */
  gap(row) { return row === 0 ? 0 : Math.max(0, this.trace.nanos[this.events[row]] - this.trace.nanos[this.events[row - 1]]); }

  /** The median of the values above zero. */
  usualGap() {
    const gaps = [];
    for (let row = 1; row < this.events.length; row++) {
      if (this.gap(row) > 0) { gaps.push(this.gap(row)); }
    }
    gaps.sort((a, b) => a - b);
    return gaps.length === 0 ? 1 : gaps[gaps.length >> 1];
  }

  yOf(event) { return this.y.length === 0 ? 0 : this.y[this.rowAt[event]]; }

  isShown(event) { return this.shown[event] === 1; }

  /** The first row at or below a position. */
  at(y) {
    let low = 0;
    let high = this.y.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.y[middle] < y) { low = middle + 1; } else { high = middle; }
    }
    return low;
  }
}
