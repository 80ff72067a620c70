// Texts of the picture, drawn last so that no line crosses them, and only where there is space.

const LABEL_ROOM = 11;
/** Maximum characters of a label; the selection shows the whole text next to it. */
const MOST_SAID = 160;

class Words {
  begin() {
    this.below = new Map();
    this.all = [];
  }

  /** @param lane texts of one lane are stacked; those that do not fit are not drawn */
  add(text, x, y, colour, lane, align, alpha) {
    const below = this.below.get(lane);
    if (below !== undefined && Math.abs(y - below) < LABEL_ROOM) { return; }
    this.below.set(lane, y);
    this.all.push({ text: text.length > MOST_SAID ? text.slice(0, MOST_SAID - 1) + '…' : text, x, y, colour, align, alpha });
  }

  /**
   * @param right the right edge of the visible part; a text that would cross it is drawn to the left of its mark, and is
   *     shortened if there is no space for it there either
   */
  draw(pen, ground, right) {
    pen.font = '11px system-ui, sans-serif';
    pen.lineWidth = 4;
    pen.lineJoin = 'round';
    pen.strokeStyle = ground;
    for (const { text: whole, x: from, y, colour, align: wanted, alpha } of this.all) {
      const crosses = wanted === 'left' && from + 7 * whole.length > right && from + pen.measureText(whole).width > right;
      const turned = crosses && from - 22 - pen.measureText(whole).width > GUTTER - 14;
      const text = crosses && !turned ? this.shortened(pen, whole, right - from) : whole;
      const align = turned ? 'right' : wanted;
      const x = turned ? from - 22 : from;
      pen.textAlign = align;
      pen.globalAlpha = 1;
      pen.strokeText(text, x, y);
      pen.globalAlpha = alpha;
      pen.fillStyle = colour;
      pen.fillText(text, x, y);
    }
    pen.globalAlpha = 1;
    pen.textAlign = 'left';
  }

  shortened(pen, text, width) {
    let end = Math.max(0, Math.floor(text.length * width / pen.measureText(text).width));
    while (end > 0 && pen.measureText(text.slice(0, end) + '…').width > width) { end--; }
    return text.slice(0, end) + '…';
  }
}
