/** Rows of the access table for notices and mail choices, which are always the caller's own. */
export const noticeAccess = {
  notices: { callers: "session", reach: "own" },
  "notices/news": { callers: "session", reach: "own" },
  "notices/mark": { callers: "session", reach: "own" },
  "notices/mark-all": { callers: "session", reach: "own" },
  "notices/dismiss": { callers: "session", reach: "own" },
  "notices/choices": { callers: "session", reach: "own" },
  "notices/choose": { callers: "session", reach: "own" },
} as const;
