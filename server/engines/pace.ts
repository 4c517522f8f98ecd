/** How often each binding is polled, more or less: by chance a fifth, so that they spread. */
export const paceSeconds = 60;
/** An engine that nobody has asked for so long is not known to be well, whatever it said: the queue may be what stands. */
export const staleAfter = { seconds: paceSeconds * 5 };
