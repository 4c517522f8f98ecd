/** The rows of the access table about the bell and the choice of mails: everybody's own. */
export const noticeAccess = {
  notices: { callers: "session", reach: "own" },
  "notices/news": { callers: "session", reach: "own" },
  "notices/mark": { callers: "session", reach: "own" },
  "notices/mark-all": { callers: "session", reach: "own" },
  "notices/dismiss": { callers: "session", reach: "own" },
  "notices/choices": { callers: "session", reach: "own" },
  "notices/choose": { callers: "session", reach: "own" },
} as const;
