/** React Aria's dialogs have the role; one that the server sends open is so before its island is hydrated. */
export const isDialogOpen = (): boolean => document.querySelector('[role=dialog], dialog[open]') !== null;
