/** Numbers from section 9 of the specification and from its decisions; the unit is in the name. */
export const limits = {
  deviceCountMax: 500,
  deviceTypesMax: 100,
  deviceTypeLengthMax: 60,
  /** Types in the catalogue, retired ones included. */
  catalogueTypesMax: 150,
  deviceGroupsMax: 20,
  unitLengthMax: 30,
  otpDigits: 6,
  otpResendSeconds: 60,
  otpMinutes: 10,
  otpWrongTries: 5,
  // Two such days may adjoin: 100 tries at a million codes are one chance in 10,000.
  otpWrongTriesOfDay: 30,
  otpWrongTriesElsewhereOfDay: 20,
  otpCodesOfDay: 60,
  publicTokenMinutes: 10,
  sessionHours: 12,
  inviteHours: 72,
  resetMinutes: 30,
  /** How long a corrected e-mail address can be confirmed. */
  confirmEmailHours: 24,
  /** Total size of the PDFs in one copy of a person's data: enough for thousands of them. */
  dataExportDocumentsMegabytes: 200,
  /** Records of one kind on the page of such a copy; its machine-readable file holds them all. */
  dataExportShownRecords: 500,
  /** How long such a copy is kept. */
  dataExportDays: 7,
  /** At most this many links to set a password are mailed while all of them have at least `resetFreshMinutes` left. */
  resetLinksAtOnce: 2,
  resetFreshMinutes: 10,
  passwordLengthMin: 12,
  passwordLengthMax: 128,
  phoneLengthMin: 8,
  onboardingPhoneLengthMin: 10,
  phoneDigitsMax: 15,
  pickerSearchMs: 250,
  signedUrlMinutes: 5,
  /** A longer stretch without an event is a gap in a retention certificate; sources are checked once an hour. */
  sourceGapHours: 24,
  /** A month's report is made this many hours after the month has ended, to include late reports. */
  reportGraceHours: 2,
  /** How long the sender of an estimate can fetch its proposal from the page that sent it. */
  proposalTokenMinutes: 30,
  /** Defaults of the shipped rate card; the card in force decides how long its quotes are valid and at which GST. */
  quoteValidDays: 30,
  gstBasisPoints: 1800,
  quoteValidDaysMax: 365,
  gstPercentMax: 40,
  rateCardDaysAheadMax: 366,
  contractMonthsMin: 12,
  /** How long a quote that adds devices to a contract can be bought: its first day is fixed. */
  coTermQuoteDays: 7,
  /** How far ahead the first day of added devices may lie. */
  coTermStartDaysAheadMax: 30,
  /**
   * Days before the end of a contract on which reminders are sent; with the first, the quote for the next year is made.
   */
  renewalStages: [60, 30, 7],
  /** How many days after the end of a contract the quote for the next year can still be bought. */
  renewalGraceDays: 30,
  /** Until this many days before the end, the choice to renew can be withdrawn; then it accepts the quote. */
  autoRenewalDays: 7,
  /** How many days before its billing a true-up is announced. */
  trueUpNoticeDays: 30,
  /** For the reason of a request for fewer devices, and for the answer to it. */
  contractReasonLengthMax: 300,
  logRetentionDays: 365,
  listLimitDefault: 50,
  listLimitMax: 100,
  /** Rows read at a time when a whole list is requested. */
  streamedRows: 1000,
  /** Rows that a list counts at most; beyond them it shows "10,000+". */
  countedMax: 10_000,
  /** For every version counter: the maximum of PostgreSQL's integer. */
  versionMax: 2 ** 31 - 1,
  nameLengthMax: 60,
  /** First and last name with the space between them. */
  fullNameLengthMax: 121,
  organizationLengthMax: 120,
  billingAddressLengthMax: 250,
  pinCodeLengthMax: 12,
  /** For a purchase order or a letter of undertaking. */
  documentNumberLengthMax: 40,
  serviceStartDaysAheadMax: 90,
  /** Tolerance for rounding, both for tax deducted from a transfer and for the tax on its certificate. */
  deductedRoundingPaiseMax: 5_00,
  /** The part of a proforma that can be waived before its invoice, when the rest does not arrive. */
  givenUpRestPercentMax: 5,
  registerDaysMax: 366,
  /** A register is a single text inside the response, held in memory whole. */
  registerDocumentsMax: 20_000,
  emailLengthMax: 50,
  messageLengthMax: 2000,
  messageLinesMax: 60,
  /** For a lead's next step and the reason why it was lost. */
  leadLineLengthMax: 200,
  /** For an entry of an action queue. */
  actionReasonLengthMax: 300,
  settlementNameLengthMax: 120,
  statementDaysMax: 1100,
  /** Deducted tax that is owed again falls due this many days later. */
  taxOwedAgainDays: 14,
  /** How soon after a retry the next one can be requested. */
  actionRetrySeconds: 30,
  /** For an administrator's own discount, which must leave something to pay. */
  ownDiscountPercentMax: 90,
  leadViewsMax: 30,
  leadViewNameLengthMax: 60,
  announcementTitleLengthMax: 120,
  announcementTextLengthMax: 1000,
  announcementCustomersMax: 100,
  /**
   * How long an announcement may be shown. Shorter than the retention of notices, which record who closed its banner.
   */
  announcementDaysMax: 60,
  /** Notices that the bell lists before its page has to be opened. */
  noticesInBell: 6,
  /** A larger number of unread notices shows as "99+". */
  unreadShownMax: 99,
  noticePollSeconds: 60,
  /** Results of each kind in the command palette. */
  foundOfKindMax: 5,
  paletteDebounceMs: 120,
  recentlyOpenedMax: 6,
  toolUrlLengthMax: 300,
  engineSecretLengthMax: 4000,
  engineCertificateLengthMax: 20_000,
  engineNameLengthMax: 200,
  obligationLineLengthMax: 300,
  /** A year. */
  obligationMinutesMax: 527_040,
  siteLineLengthMax: 100,
  sitesMax: 200,
  onboardingReminderDays: 7,
  onboardingDays: 14,
  enginesOfCustomerMax: 20,
  incidentTitleLengthMax: 200,
  certificateBytesMax: 2 * 1024 * 1024,
  incidentFileBytesMax: 5 * 1024 * 1024,
  filesOfIncidentMax: 30,
  /** What a customer's people may attach to all of its incidents in 24 hours. */
  attachedMegabytesOfDay: 100,
  /** How many days back the detection of an incident opened by hand may lie. */
  incidentDaysBackMax: 365,
  ladderContactsMax: 8,
  /** How long to wait for one contact of the ladder before the next is called. */
  ladderStepMinutes: 5,
  /** Mails to the ladders of one customer's attacks: five full ladders. */
  ladderMailsOfDay: 40,
  /** An attack reported this soon after another counts as the same one. */
  attackOnceMinutes: 10,
  holidaysMax: 100,
  /** The operator's own certificates and references. */
  proofsMax: 50,
  proofNameLengthMax: 120,
  proofStatementLengthMax: 400,
  proofLinkLengthMax: 300,
  articleTitleLengthMax: 120,
  slugLengthMax: 80,
  excerptLengthMax: 300,
  articleLengthMax: 60_000,
  /** For one word of an article: far longer than any address. */
  wordLengthMax: 1000,
  /** 60,000 characters of three bytes each, some of them escaped as \n or \". */
  articleBodyBytesMax: 256 * 1024,
  articleTagsMax: 8,
  tagLengthMax: 40,
  altLengthMax: 250,
  articleDaysAheadMax: 366,
  /** Versions of an article that are listed. */
  versionsShown: 100,
  imageBytesMax: 8 * 1024 * 1024,
  imageMegapixelsMax: 40,
  imageWidthMin: 960,
  imageHeightMin: 384,
  /** Minimum for each side of an image inside an article's text, which may have any proportions. */
  textImagePixelsMin: 24,
  /** How long an uploaded image may stay without an article that uses it. */
  unusedImageHours: 24,
  yearlyRupeesMax: 9_999_999,
  /** What one transfer can bring; a bank's reference typed in as the amount exceeds it. */
  transferRupeesMax: 1_000_000_000,
  volumeTiersMax: 20,
  usersMax: 1_000_000,
  bodyBytesMax: 64 * 1024,
  priceDebounceMs: 300,
  searchDebounceMs: 500,
  toastMs: 5000,
  scrollAnimationMs: 1000,
  sidebarCollapsePixels: 768,
  sidePanelOffsetPixels: 100,
  paymentMinutes: 15,
  triesShown: 20,
  blogPage: 3,
  blogPageMax: 20,
  cataloguePage: 10,
  cataloguePageMax: 50,
  startingNodeMax: 100_000,
  searchLengthMax: 100,
  categoriesMax: 100,
} as const;
