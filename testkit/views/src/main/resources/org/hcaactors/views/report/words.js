// The words of a picture: drawn last, so that no line crosses them, and only where there is room.

const LABEL_ROOM = 11;
/** Characters of a label; all of it stands beside, when it is selected. */
const MOST_SAID = 160;

class Words {
  begin() {
    this.below = new Map();
    this.all = [];
  }

  /** @param lane texts of one lane stand under each other; what has no room there is not drawn */
  add(text, x, y, colour, lane, align, alpha) {
    const below = this.below.get(lane);
    if (below !== undefined && Math.abs(y - below) < LABEL_ROOM) { return; }
    this.below.set(lane, y);
    this.all.push({ text: text.length > MOST_SAID ? text.slice(0, MOST_SAID - 1) + '…' : text, x, y, colour, align, alpha });
  }

  draw(pen, ground) {
    pen.font = '11px system-ui, sans-serif';
    pen.lineWidth = 4;
    pen.lineJoin = 'round';
    pen.strokeStyle = ground;
    for (const { text, x, y, colour, align, alpha } of this.all) {
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
}
