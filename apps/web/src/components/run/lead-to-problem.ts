/** What is wrong is said beside its field: shows it, and puts the focus there. */
export function leadToProblem(form: HTMLFormElement | null): void {
  const at = form?.querySelector<HTMLElement>("[data-problem], [aria-invalid]");
  if (!at) return;
  const folded = at.closest("details");
  if (folded) folded.open = true;
  const field =
    at.closest<HTMLElement>("[aria-invalid]") ??
    at.querySelector<HTMLElement>("[aria-invalid]") ??
    at.querySelector("input") ??
    at.closest("fieldset")?.querySelector("input");
  field?.focus({ preventScroll: true });
  at.scrollIntoView({ block: "center" });
}
