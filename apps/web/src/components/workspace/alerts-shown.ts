/** On the first page of a workspace, which the server draws and the browser asks for again. */
export const ALERTS_SHOWN = 5;
