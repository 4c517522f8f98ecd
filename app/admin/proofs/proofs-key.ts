/** The key of the query for all certificates and references. */
export const proofsKey = ["admin/settings/proofs"];
