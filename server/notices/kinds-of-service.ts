import { indiaZone } from "../../contract/india-time.ts";
import type { Telling } from "./kinds.ts";

/** What notices about the service are made of. */
export interface NoticeFactsOfService {
  "clock ends": { incidentId: string; incidentNumber: string; titles: string[]; endsAt: string };
}

const written = new Intl.DateTimeFormat("en-GB", {
  timeZone: indiaZone,
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const);

/** Who is told what about the service; a part of `noticeKinds`. */
export const noticesOfService: {
  [Kind in keyof NoticeFactsOfService]: readonly Telling<NoticeFactsOfService[Kind]>[];
} = {
  "clock ends": [
    {
      to: "customer",
      title: ({ incidentNumber }) => `${incidentNumber}: a regulator's clock may end soon`,
      text: ({ titles, endsAt }) => `The first at ${written.format(new Date(endsAt))} IST: ${titles.join("; ")}.`,
      link: ({ incidentId }) => `/user/incidents/${incidentId}/regulators`,
    },
  ],
};
