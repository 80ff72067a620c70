// Counts everything that the whole ladder draws, so that tests can compare it with the recorded run.

class Census {
  constructor(ladder) { this.ladder = ladder; }

  /** Counts all strokes from the first row to the last, by the code that draws them. */
  count() {
    const seen = { event: new Set(), way: new Set(), request: new Set() };
    const page = 2000;
    this.ladder.limit = Infinity;
    const canvas = make('canvas', { width: 1, height: 1 });
    const pen = canvas.getContext('2d');
    for (let top = 0; top < this.ladder.rows.height; top += page) {
      const view = { left: 0, top, width: this.ladder.lanes.width, height: page, scale: 1 };
      this.ladder.draw(pen, view, (kind, which) => seen[kind].add(which));
    }
    this.ladder.limit = MOST_DRAWN;
    const ways = [...seen.way];
    const { end, again, from } = this.ladder.trace.ways;
    return {
      events: seen.event.size,
      arrows: ways.length,
      crosses: ways.filter(way => end[way] === 'dropped').length,
      corrupted: ways.filter(way => end[way] === 'corrupted').length,
      retransmissions: new Set(ways.filter(way => again[way] > 0).map(way => from[way])).size,
      requests: seen.request.size,
    };
  }
}
