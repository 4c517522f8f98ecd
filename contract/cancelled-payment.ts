/** What is recorded of a try to pay that the payer cancelled. Its result page tells by it that nothing went wrong. */
export const cancelledPayment = "Cancelled on the payment page.";
