/** For people, in Indian grouping: 1234567 → "12,34,567". */
export const formatCount = (count: number): string => count.toLocaleString("en-IN");
