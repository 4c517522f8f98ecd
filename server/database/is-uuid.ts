/** Whether a text is an id as PostgreSQL writes it; casting any other text to uuid would fail the statement. */
export const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
