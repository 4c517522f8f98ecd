/** A setting or an environment in which the product can't start; its message is the one sentence that people see. */
export class StartRefused extends Error {}
