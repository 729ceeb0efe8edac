/** As a ref: what takes the place of a form takes its focus, so that it is read aloud and Tab goes on from there. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
