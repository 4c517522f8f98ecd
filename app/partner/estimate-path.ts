/** Where a partner makes an estimate for a customer. An e-mail may hold "/" and "?"; its "@" is fit for a path as it is. */
export const estimatePath = (email: string) => `/partner/estimator/${encodeURIComponent(email).replace("%40", "@")}`;
