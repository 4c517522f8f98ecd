/** A setting or a surrounding that does not let the product start; its message is the one sentence people see. */
export class StartRefused extends Error {}
