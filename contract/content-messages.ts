/**
 * Messages after a change of log sources, certificates, tiles and texts. Only the server uses them, so no page loads
 * them.
 */
export const contentMessages = {
  logSourceAdded: "It is on the public site now.",
  logSourceChanged: "The change is on the public site now.",
  logSourceRetired: "It is off the public site.",
  logSourceRestored: "It is on the public site again.",
  logSourceMeanwhile: "Somebody else changed this log source meanwhile. Please reload the list.",
  logSourcesMeanwhile:
    "Somebody else changed the catalogue after this preview was made. Please look at the new preview, then import.",
  proofExpired: "It is kept. Visitors don't see it: its last day is over.",
  tileAdded: "The tile is on the dashboards now.",
  tileAddedHidden: "The tile is kept, and hidden.",
  tileChanged: "The tile is changed.",
  tileRemoved: "The tile is off the dashboards.",
  tileMeanwhile: "Somebody else changed this tile meanwhile. Please look at what is saved now.",
  proofMeanwhile: "Somebody else changed this entry meanwhile. Please look at what is saved now.",
  textsSaved: "The change is on the site now.",
  textsRestored: "The earlier version is on the site again.",
} as const;
