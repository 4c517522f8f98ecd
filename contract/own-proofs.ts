/** A certificate the operator itself holds, or a customer who may be named. */
export interface OwnProof {
  kind: "certificate" | "reference";
  /** "ISO/IEC 27001:2022, certificate 12345", "Kaveri Textiles, Bengaluru" */
  title: string;
  /** Who issued it and until when it is valid; what the customer says. */
  text: string;
}

/** None: the buyer's guide has a place for them that is not there until there is one. */
export const ownProofs: readonly OwnProof[] = [];
