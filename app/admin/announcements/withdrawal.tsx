import type { Announcement } from "../../../contract/announcements.ts";
import { call } from "../../api.ts";
import { ConfirmedAction } from "../../components/confirmed-action.tsx";
import { newsKey } from "../../portal/use-news.ts";

/** Withdraws an announcement after a confirmation. */
export function Withdrawal({ announcement: { id, version, title } }: { announcement: Announcement }) {
  return (
    <ConfirmedAction
      label="Withdraw"
      about={title}
      title="Withdraw the announcement"
      failed="It could not be withdrawn."
      act={() => call("admin/announcements/withdraw", { id, version })}
      stale={[["admin/announcements"], newsKey]}
    >
      <bdi>{title}</bdi> leaves every banner and bell at once, for good. Mails that went out stay where they are.
    </ConfirmedAction>
  );
}
