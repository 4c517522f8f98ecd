/** Numbers of the specification, section 9, and of its decisions; the unit is in the name. */
export const limits = {
  deviceCountMax: 500,
  deviceTypesMax: 100,
  deviceTypeLengthMax: 60,
  /** Of the catalogue, those retired included. */
  catalogueTypesMax: 150,
  deviceGroupsMax: 20,
  unitLengthMax: 30,
  otpDigits: 6,
  otpResendSeconds: 60,
  otpMinutes: 10,
  otpWrongTries: 5,
  // Two such days may touch: 100 tries of a million codes are one chance in 10,000.
  otpWrongTriesOfDay: 30,
  otpWrongTriesElsewhereOfDay: 20,
  otpCodesOfDay: 60,
  publicTokenMinutes: 10,
  sessionHours: 12,
  inviteHours: 72,
  resetMinutes: 30,
  /** So long a corrected e-mail address can be confirmed. */
  confirmEmailHours: 24,
  /** Of PDFs in one copy of somebody's data: thousands of them. */
  dataExportDocumentsMegabytes: 200,
  /** Records of one kind on the page of such a copy; all of them stand in its file for machines. */
  dataExportShownRecords: 500,
  /** So long such a copy is kept. */
  dataExportDays: 7,
  /** Links to set a password that are mailed while they all have so much time left. */
  resetLinksAtOnce: 2,
  resetFreshMinutes: 10,
  passwordLengthMin: 12,
  passwordLengthMax: 128,
  phoneLengthMin: 8,
  onboardingPhoneLengthMin: 10,
  phoneDigitsMax: 15,
  phoneCountrySearchMs: 250,
  signedUrlMinutes: 5,
  /** A stretch without an event that is longer is a gap of a retention certificate: sources are looked at once an hour. */
  sourceGapHours: 24,
  /** So many hours after a month has ended its report is made, for what is told late. */
  reportGraceHours: 2,
  /** So long whoever sent an estimate may fetch its proposal from the page that sent it. */
  proposalTokenMinutes: 30,
  /** Of the shipped rate card; the one in force says how long its quotes are valid, and which GST they have. */
  quoteValidDays: 30,
  gstBasisPoints: 1800,
  quoteValidDaysMax: 365,
  gstPercentMax: 40,
  rateCardDaysAheadMax: 366,
  contractMonthsMin: 12,
  /** A quote over devices that are added to a contract can be bought for so long: its first day is fixed. */
  coTermQuoteDays: 7,
  /** Devices can be added to a contract from so many days ahead at most. */
  coTermStartDaysAheadMax: 30,
  /** The end of a contract is told so many days before; with the first one, the quote for the next year is made. */
  renewalStages: [60, 30, 7],
  /** So long after the end of a contract the quote for the next year can be bought. */
  renewalGraceDays: 30,
  /** Until so many days before the end the choice to renew can be withdrawn; then the quote is accepted by it. */
  autoRenewalDays: 7,
  /** A true-up is announced so many days before it is billed. */
  trueUpNoticeDays: 30,
  /** Of an answer to whoever asks for fewer devices, and of why. */
  contractReasonLengthMax: 300,
  logRetentionDays: 365,
  listLimitDefault: 50,
  listLimitMax: 100,
  /** So many records of a list that is asked for whole are read at a time. */
  streamedRows: 1000,
  /** A list counts so many rows at most: what it has beyond them is told as "10,000+". */
  countedMax: 10_000,
  /** Of anything that is saved in versions: PostgreSQL's integer holds no larger number. */
  versionMax: 2 ** 31 - 1,
  nameLengthMax: 60,
  /** First and last name with the space between them. */
  fullNameLengthMax: 121,
  organizationLengthMax: 120,
  billingAddressLengthMax: 250,
  pinCodeLengthMax: 12,
  /** Of a purchase order or a letter of undertaking. */
  documentNumberLengthMax: 40,
  serviceStartDaysAheadMax: 90,
  /** By so much a buyer may have rounded the tax that it deducted from a transfer, and its certificate that tax. */
  deductedRoundingPaiseMax: 5_00,
  /** So much of a proforma can be given up before its invoice, where the rest does not come. */
  givenUpRestPercentMax: 5,
  registerDaysMax: 366,
  /** A register is one text within its answer, which is in memory whole. */
  registerDocumentsMax: 20_000,
  emailLengthMax: 50,
  messageLengthMax: 2000,
  messageLinesMax: 60,
  /** Of a lead: its next step and why it was lost. */
  leadLineLengthMax: 200,
  /** Of an entry of an action queue. */
  actionReasonLengthMax: 300,
  settlementNameLengthMax: 120,
  statementDaysMax: 1100,
  /** So many days later deducted tax is due that is owed again. */
  taxOwedAgainDays: 14,
  /** What was asked to be tried again is not asked again so soon. */
  actionRetrySeconds: 30,
  /** Of an administrator's own: what is left is paid. */
  ownDiscountPercentMax: 90,
  leadViewsMax: 30,
  leadViewNameLengthMax: 60,
  announcementTitleLengthMax: 120,
  announcementTextLengthMax: 1000,
  announcementCustomersMax: 100,
  /** So long it may be shown; shorter than notices are kept, which remember whose banner is closed. */
  announcementDaysMax: 60,
  /** Of the bell, before its page has to be opened. */
  noticesInBell: 6,
  /** More unread ones than this are told as "99+". */
  unreadShownMax: 99,
  noticePollSeconds: 60,
  /** Of each kind, in the command palette. */
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
  /** What the people of a customer attach to all of its incidents in 24 hours. */
  attachedMegabytesOfDay: 100,
  /** So long ago something may have been detected of which an incident is opened by hand. */
  incidentDaysBackMax: 365,
  ladderContactsMax: 8,
  /** So long one has to be reached before the next of the ladder is called. */
  ladderStepMinutes: 5,
  /** Mails to the ladders of one customer's attacks: five whole ladders. */
  ladderMailsOfDay: 40,
  /** An attack that is reported within so long of another one is the same. */
  attackOnceMinutes: 10,
  holidaysMax: 100,
  /** Certificates and references of the operator's own. */
  proofsMax: 50,
  proofNameLengthMax: 120,
  proofStatementLengthMax: 400,
  proofLinkLengthMax: 300,
  articleTitleLengthMax: 120,
  slugLengthMax: 80,
  excerptLengthMax: 300,
  articleLengthMax: 60_000,
  /** Of one word in an article: far more than any address. */
  wordLengthMax: 1000,
  /** 60,000 characters of three bytes, some of them written as \n or \". */
  articleBodyBytesMax: 256 * 1024,
  articleTagsMax: 8,
  tagLengthMax: 40,
  altLengthMax: 250,
  articleDaysAheadMax: 366,
  /** Of an article: so many are listed. */
  versionsShown: 100,
  imageBytesMax: 8 * 1024 * 1024,
  imageMegapixelsMax: 40,
  imageWidthMin: 960,
  imageHeightMin: 384,
  /** Of an image in an article's text, whose form is its own: each side at least. */
  textImagePixelsMin: 24,
  /** So long an image may lie there without an article. */
  unusedImageHours: 24,
  yearlyRupeesMax: 9_999_999,
  /** What one transfer brings: a bank's reference that is typed as its amount is more. */
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
