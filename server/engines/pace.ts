/** The average time between two polls of a binding; each varies at random by a fifth, to spread them. */
export const paceSeconds = 60;
/** After this long without a poll, an engine's state counts as unknown: the queue may have stopped. */
export const staleAfter = { seconds: paceSeconds * 5 };
