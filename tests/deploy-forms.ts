import { z } from "zod";

/**
 * Schemas for files below deploy/, with the fields they use of what their programs document; any other field is a
 * misspelling.
 */

/** The format of Prometheus: https://prometheus.io/docs/prometheus/latest/configuration/configuration/ */
const Duration = z.string().regex(/^\d+(ms|s|m|h|d)$/);
const Name = z.string().min(1);
const Port = z.int().min(1).max(65_535);

/** https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/ */
export const Kustomization = z.strictObject({
  apiVersion: z.literal("kustomize.config.k8s.io/v1beta1"),
  kind: z.literal("Kustomization"),
  namespace: Name,
  resources: z.array(Name).min(1),
  images: z.array(z.strictObject({ name: z.literal("prahari"), newName: Name, newTag: Name })).length(1),
});

export const Prometheus = z.strictObject({
  rule_files: z.tuple([z.literal("alerts.yaml")]),
  scrape_configs: z.array(
    z.strictObject({
      // The alerts select their metrics by this name.
      job_name: z.literal("prahari"),
      scrape_interval: Duration,
      authorization: z.strictObject({ type: z.literal("Bearer"), credentials_file: z.string().startsWith("/") }),
      dns_sd_configs: z.array(z.strictObject({ names: z.array(Name).min(1), type: z.enum(["A", "AAAA"]), port: Port })),
    }),
  ),
});

/** Text with placeholders for an alert's value, perhaps formatted for people, and for its labels. */
const Summary = Name.refine(
  (text) =>
    !/[{}]/.test(text.replaceAll(/\{\{ \$(value( \| humanize(Percentage|Duration|1024))?|labels\.\w+) \}\}/g, "")),
  "has a place that Prometheus does not know",
);

/** https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/ */
export const Alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: Name,
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Prahari[A-Z]\w+$/),
          expr: Name,
          for: Duration.optional(),
          labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
          annotations: z.strictObject({ summary: Summary }),
        }),
      ),
    }),
  ),
});

/** The data source of the dashboard's variable. */
const Datasource = z.strictObject({ type: z.literal("prometheus"), uid: z.literal("${datasource}") });
const half = 12;

/** https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/ */
export const Dashboard = z.strictObject({
  title: Name,
  uid: z.string().regex(/^[\w-]{1,40}$/),
  tags: z.array(Name),
  timezone: z.enum(["browser", "utc"]),
  schemaVersion: z.int(),
  version: z.int(),
  refresh: Duration,
  time: z.strictObject({ from: z.string().startsWith("now"), to: z.literal("now") }),
  templating: z.strictObject({
    list: z.tuple([
      z.strictObject({
        name: z.literal("datasource"),
        label: Name,
        type: z.literal("datasource"),
        query: z.literal("prometheus"),
      }),
    ]),
  }),
  annotations: z.strictObject({ list: z.array(z.never()) }),
  panels: z.array(
    z.strictObject({
      id: z.int().min(1),
      title: Name,
      description: z.string(),
      type: z.literal("timeseries"),
      datasource: Datasource,
      gridPos: z.strictObject({ x: z.literal([0, half]), y: z.int().min(0), w: z.literal(half), h: z.int().min(1) }),
      fieldConfig: z.strictObject({
        defaults: z.strictObject({
          unit: z.enum(["s", "short", "reqps", "bytes", "percentunit", "bool_yes_no"]),
          min: z.literal(0),
        }),
        overrides: z.array(z.never()),
      }),
      options: z.strictObject({
        legend: z.strictObject({
          displayMode: z.enum(["list", "table", "hidden"]),
          placement: z.enum(["bottom", "right"]),
        }),
        tooltip: z.strictObject({
          mode: z.enum(["single", "multi", "none"]),
          sort: z.enum(["none", "asc", "desc"]),
        }),
      }),
      targets: z
        .array(
          z.strictObject({
            refId: z.string().regex(/^[A-Z]$/),
            expr: Name,
            legendFormat: Name,
            datasource: Datasource,
          }),
        )
        .refine((targets) => new Set(targets.map(({ refId }) => refId)).size === targets.length, "has a refId twice"),
    }),
  ),
});
