import { type EngineKind, engineKinds } from "../../../contract/engine-kinds.ts";
import type { EngineBinding } from "../../../contract/engines.ts";

/** An existing binding, or a new one. */
export type Edited = EngineBinding | "new";

/** The dialog's fields. */
export interface Typed {
  kind: EngineKind;
  address: string;
  indexerAddress: string;
  tenantKey: string;
  username: string;
  secret: string;
  indexerUsername: string;
  indexerSecret: string;
  caCertificate: string;
  dashboardAddress: string;
  opensToCustomer: boolean;
}

const empty: Typed = {
  kind: "wazuh4",
  address: "",
  indexerAddress: "",
  tenantKey: "",
  username: "",
  secret: "",
  indexerUsername: "",
  indexerSecret: "",
  caCertificate: "",
  dashboardAddress: "",
  opensToCustomer: false,
};

/** These fields are never kept while they are typed. */
export const secret = ["secret", "indexerSecret"] as const satisfies readonly (keyof Typed)[];

/** A binding as the dialog's fields, without its secrets, which are never shown again. */
export const typedOf = (edited: Edited): Typed =>
  edited === "new"
    ? empty
    : {
        ...empty,
        kind: edited.kind,
        address: edited.address,
        indexerAddress: edited.indexerAddress ?? "",
        tenantKey: edited.tenantKey ?? "",
        username: edited.username ?? "",
        indexerUsername: edited.indexerUsername ?? "",
        caCertificate: edited.caCertificate ?? "",
        dashboardAddress: edited.dashboardAddress ?? "",
        opensToCustomer: edited.opensToCustomer,
      };

/** Clears what this kind of engine does not use, even if it was typed while another kind was chosen. */
export function asSent(email: string, edited: Pick<EngineBinding, "id" | "version"> | "new", typed: Typed) {
  const { indexer, signsInBy, pages } = engineKinds[typed.kind];
  return {
    ...typed,
    ...(!indexer && { indexerAddress: "", indexerUsername: "", indexerSecret: "" }),
    ...(signsInBy === "key" && { username: "" }),
    ...(pages === null && { dashboardAddress: "", opensToCustomer: false }),
    email,
    ...(edited !== "new" && { id: edited.id, version: edited.version }),
  };
}
