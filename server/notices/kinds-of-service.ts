import { indiaZone } from "../../contract/india-time.ts";
import type { Telling } from "./kinds.ts";
import { found } from "./kinds-of-refunds.ts";

/** The facts in each kind of notice about the service. */
export interface NoticeFactsOfService {
  "clock ends": { incidentId: string; incidentNumber: string; titles: string[]; endsAt: string };
  "customer leaves": { organizationName: string };
  "customer moved": { organizationName: string; partner: string | null; former: string | null };
}

const written = new Intl.DateTimeFormat("en-GB", {
  timeZone: indiaZone,
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const);

/** Who is told what about the service; part of `noticeKinds`. */
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
  "customer leaves": [
    {
      to: "partner",
      title: ({ organizationName }) => `${organizationName} is no longer your customer`,
      text: () =>
        "Our team has moved it. Its quotes, orders, incidents and coverage are out of your sight from now on.",
      link: () => "/partner/listuser",
    },
  ],
  "customer moved": [
    {
      to: "customer",
      title: ({ partner }) => (partner === null ? "You have no partner any more" : `${partner} is your partner now`),
      text: ({ partner, former }) =>
        [
          partner !== null && `${partner} sees your quotes, orders, incidents and coverage from now on.`,
          former !== null && `${former} no longer sees them.`,
        ]
          .filter(Boolean)
          .join(" "),
      link: () => "",
    },
    {
      to: "partner",
      title: ({ organizationName }) => `${organizationName} is your customer now`,
      text: () => "Our team gave it to you. You see its quotes, orders, incidents and coverage from now on.",
      link: ({ organizationName }) => found("/partner/listuser", organizationName),
    },
  ],
};
