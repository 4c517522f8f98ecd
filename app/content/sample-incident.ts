/** One invented night, told on the home page and hour by hour under Service Delivery. Hours are local decimals. */
export const sampleNight = {
  events: "4,12,08,114",
  alerts: "312",
  incidents: "4",
  /** The times of the alerts, in hours since midnight. */
  alertHours: [0.7, 3.9, 5.1, 6.4, 7.8, 9.2, 10.1, 10.9, 12.2, 13.6, 15.1, 16.3, 17.7, 19.4, 20.8, 22.5],
  incidentHour: 2.28,
} as const;
