/** Of the query that has all certificates and references. */
export const proofsKey = ["admin/settings/proofs"];
