/** Whether a text is an id as the database writes them: any other would fail a statement that casts it. */
export const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
