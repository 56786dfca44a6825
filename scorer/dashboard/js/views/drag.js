/** Dragging a seat to another place, with finger, pen or mouse. */

/** Makes `grip` drag its seat; `move(from, to)` is told whenever it passes another one. */
export function dragHandle(grip, move) {
  grip.onpointerdown = (down) => {
    if (down.button !== 0) return;
    down.preventDefault();
    grip.setPointerCapture(down.pointerId);
    const seat = grip.closest("[data-seat]");
    seat.classList.add("dragged");
    grip.onpointermove = (event) => {
      const seats = [...seat.parentNode.children];
      const from = seats.indexOf(seat);
      const to = seats.findIndex((other) => {
        const box = other.getBoundingClientRect();
        return event.clientY >= box.top && event.clientY <= box.bottom;
      });
      if (to >= 0 && to !== from) move(from, to);
    };
    grip.onpointerup = grip.onpointercancel = grip.onlostpointercapture = () => {
      grip.onpointermove = null;
      seat.classList.remove("dragged");
    };
  };
}
