// Packets as arrows, from the sender to the place of arrival or loss.

/** Position of a lost packet on its path, unless the destination port dropped it. */
const HALFWAY = 0.55;

class Arrows {
  constructor(trace, ladder) {
    this.trace = trace;
    this.ladder = ladder;
  }

  /** Start and end of a packet's arrow. */
  line(way) {
    const { from, to, lane, end, near } = this.trace.ways;
    const entry = from[way];
    const forged = this.trace.type(entry) === 'fabric:forged';
    const target = this.ladder.x(lane[way]);
    const start = forged ? target + 90 * this.ladder.lanes.wire[lane[way]] : this.ladder.x(this.trace.lane[entry]);
    const top = this.ladder.y(entry);
    const bottom = to[way] >= 0 ? this.ladder.y(to[way]) : top + 14;
    const part = end[way] === 'dropped' && near[way] === 0 ? HALFWAY : end[way] === 'under_way' ? 0.7 : 1;
    return { start, top, end: start + (target - start) * part, bottom, forged };
  }

  draw(way) {
    const entry = this.trace.ways.from[way];
    if (!this.ladder.rows.isShown(entry)) { return; }
    const line = this.line(way);
    if (Math.max(line.top, line.bottom) < -20 || Math.min(line.top, line.bottom) > this.ladder.view.height + 20) { return; }
    if (!this.ladder.room()) { return; }
    this.ladder.tally('way', way);
    const pen = this.ladder.pen;
    const name = this.trace.scene.packets.kinds[this.trace.packetClass(this.trace.packet[entry])];
    const again = this.trace.ways.again[way];
    const end = this.trace.ways.end[way];
    pen.globalAlpha = this.ladder.alpha(entry);
    pen.strokeStyle = pen.fillStyle = this.ladder.palette.classes[name];
    pen.lineWidth = entry === this.ladder.selected ? 3 : name === 'acknowledge' ? 1 : 1.6;
    pen.setLineDash(again > 0 ? [7, Math.min(2 + 2 * again, 8)] : line.forged ? [2, 3] : []);
    pen.beginPath();
    pen.moveTo(line.start, line.top);
    if (end === 'corrupted') { this.zigzag(line); } else { pen.lineTo(line.end, line.bottom); }
    pen.stroke();
    pen.setLineDash([]);
    if (end === 'dropped') { this.cross(line, way); } else { this.head(line, end); }
    this.badge(line, name, entry);
    this.label(line, entry, again);
    this.ladder.hits.push({ event: entry, x0: line.start, y0: line.top, x1: line.end, y1: line.bottom });
  }

  zigzag(line) {
    const steps = 12;
    for (let i = 1; i <= steps; i++) {
      const swing = i === steps ? 0 : i % 2 === 0 ? 3 : -3;
      this.ladder.pen.lineTo(line.start + (line.end - line.start) * i / steps, line.top + (line.bottom - line.top) * i / steps + swing);
    }
  }

  head(line, end) {
    if (end === 'under_way') { return; }
    const pen = this.ladder.pen;
    const angle = Math.atan2(line.bottom - line.top, line.end - line.start);
    pen.beginPath();
    pen.moveTo(line.end, line.bottom);
    for (const turn of [2.75, -2.75]) { pen.lineTo(line.end + 8 * Math.cos(angle + turn), line.bottom + 8 * Math.sin(angle + turn)); }
    pen.closePath();
    pen.fill();
    if (end === 'corrupted') { this.saltire(line.end - 12 * Math.sign(line.end - line.start), line.bottom); }
  }

  /** Where it was lost, and by which cause. */
  cross(line, way) {
    this.saltire(line.end, line.bottom);
    const fate = this.trace.ways.to[way];
    this.ladder.say(this.trace.words(fate), line.end + 9, line.bottom, this.ladder.palette.bad, 'lost' + Math.round(line.end));
  }

  saltire(x, y) {
    const pen = this.ladder.pen;
    pen.strokeStyle = this.ladder.palette.bad;
    pen.lineWidth = 2.2;
    pen.beginPath();
    pen.moveTo(x - 5, y - 5); pen.lineTo(x + 5, y + 5);
    pen.moveTo(x + 5, y - 5); pen.lineTo(x - 5, y + 5);
    pen.stroke();
  }

  badge(line, name, entry) {
    const letter = LETTERS[name];
    const pen = this.ladder.pen;
    pen.beginPath();
    pen.arc(line.start, line.top, letter === '' ? 2 : 6, 0, 2 * Math.PI);
    pen.fillStyle = this.ladder.palette.classes[name];
    pen.fill();
    if (letter !== '' && STEPS[this.ladder.rows.step] >= 11) {
      pen.fillStyle = this.ladder.palette.ground;
      pen.font = 'bold 9px system-ui, sans-serif';
      pen.textAlign = 'center';
      pen.fillText(letter, line.start, line.top + 0.5);
      pen.textAlign = 'left';
    }
  }

  label(line, entry, again) {
    const right = line.end >= line.start;
    const text = this.trace.words(entry) + (again > 0 ? '  again' + (again > 1 ? ' ×' + again : '') : '');
    this.ladder.say(text, line.start + (right ? 10 : -10), line.top - 6, again > 0 ? this.ladder.palette.bad : this.ladder.palette.ink, (right ? 'at' : 'left') + Math.round(line.start), right ? 'left' : 'right');
  }
}
