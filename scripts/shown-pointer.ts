/** Runs in the page: a screencast shows no pointer, so one is drawn. */
export function showPointer(): void {
  addEventListener("DOMContentLoaded", () => {
    const pointer = document.createElement("div");
    Object.assign(pointer.style, {
      position: "fixed",
      left: "-20px",
      zIndex: "9999",
      width: "18px",
      height: "18px",
      margin: "-9px",
      borderRadius: "50%",
      background: "rgb(29 91 196 / 45%)",
      border: "2px solid white",
      pointerEvents: "none",
      transition: "transform 120ms",
    });
    document.documentElement.append(pointer);
    addEventListener("pointermove", ({ clientX, clientY }) => {
      pointer.style.left = `${clientX}px`;
      pointer.style.top = `${clientY}px`;
    });
    addEventListener("pointerdown", () => (pointer.style.transform = "scale(0.7)"));
    addEventListener("pointerup", () => (pointer.style.transform = ""));
  });
}
