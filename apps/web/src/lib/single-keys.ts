/** Under which a browser keeps that single keys are switched off: some people's software types for them. */
const STORED = "list-keys";

/** Whether single keys act in this browser. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(STORED) !== "off";
  } catch {
    return true;
  }
}

export function keepKeysOn(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, "off");
  } catch {
    // It holds for this page then.
  }
}
