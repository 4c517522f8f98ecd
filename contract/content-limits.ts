/**
 * Limits of log sources, tiles and texts, kept apart from `limits`, which every page loads; the unit is in the name.
 */
export const contentLimits = {
  /** Site texts that an operator edits. */
  brandNameLengthMax: 40,
  siteLineLengthMax: 100,
  siteAddressLengthMax: 200,
  sitePhonesMax: 6,
  officesMax: 8,
  faqAnswerLengthMax: 1200,
  ownNoticesMax: 60,
  textVersionsShown: 100,
  logSourceLineLengthMax: 120,
  logSourceCategoryLengthMax: 80,
  /** Of a CSV file that is imported. */
  csvBytesMax: 4 * 1024 * 1024,
  csvRowsMax: 20_000,
  /** Of each kind of change, in the preview of an import. */
  previewRows: 100,
  tileTitleLengthMax: 60,
  tileTextLengthMax: 120,
  tilePlaceMax: 999,
  /** On one dashboard, SIEM and SOAR aside. */
  tilesShown: 30,
} as const;
