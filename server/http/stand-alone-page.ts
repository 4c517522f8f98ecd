import type { Context } from "hono";
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { brand } from "../../contract/brand.ts";

const styles = html`<style>
  :root {
    color-scheme: light dark;
    --ink: light-dark(#101828, #eef2f9);
    --muted: light-dark(#4a5568, #a9b4c6);
    --canvas: light-dark(#f6f8fb, #0f141d);
    --sheet: light-dark(#ffffff, #171d29);
    --border: light-dark(#dfe5ee, #2c3444);
    --accent: light-dark(#1d5bc4, #85b1f7);
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0;
    background: var(--canvas);
    color: var(--ink);
    font:
      16px/1.6 Inter,
      system-ui,
      sans-serif;
  }
  main {
    max-width: 760px;
    margin: 0 auto;
    padding: 40px 16px 64px;
  }
  h1 {
    font-size: 26px;
    line-height: 1.25;
    overflow-wrap: anywhere;
  }
  h2 {
    font-size: 18px;
  }
  a {
    color: var(--accent);
  }
  .muted {
    color: var(--muted);
    font-size: 14px;
  }
  .list {
    list-style: none;
    padding: 0;
  }
  .sheet {
    background: var(--sheet);
    border: 1px solid var(--border);
    border-radius: 12px;
    padding: 16px 20px;
    margin: 0 0 12px;
    overflow-wrap: anywhere;
  }
  pre {
    white-space: pre-wrap;
    font-size: 13px;
  }
  iframe {
    width: 100%;
    height: 620px;
    border: 1px solid var(--border);
    border-radius: 12px;
    background: #fff;
  }
  code {
    font-size: 20px;
    font-weight: 700;
    letter-spacing: 3px;
    margin-inline-start: 12px;
  }
  .brand {
    font-weight: 700;
  }
  .brand::before {
    content: "";
    display: inline-block;
    width: 11px;
    height: 11px;
    border-radius: 3px;
    background: ${brand.themeColour};
    margin-inline-end: 8px;
  }
  .banner {
    background: light-dark(#fff5e0, #3a2d10);
    border: 1px solid light-dark(#f0c36a, #7a5d1c);
    border-radius: 12px;
    padding: 12px 16px;
  }
  dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 6px 24px;
  }
  dt {
    color: var(--muted);
  }
  dd {
    margin: 0;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .actions {
    display: grid;
    gap: 12px;
    grid-template-columns: repeat(auto-fit, minmax(max(200px, 40%), 1fr));
  }
  button {
    width: 100%;
    min-height: 48px;
    padding: 10px 18px;
    font: inherit;
    font-weight: 600;
    border-radius: 10px;
    border: 1px solid var(--border);
    background: var(--sheet);
    color: var(--ink);
    cursor: pointer;
  }
  button.primary {
    background: #1d5bc4;
    border-color: #1d5bc4;
    color: #fff;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
</style>`;

/** A page outside the site, such as the demo mailbox and the sandbox gateway. It runs no inline script. */
export function standAlonePage(
  context: Context,
  page: {
    title: string;
    body: HtmlEscapedString | Promise<HtmlEscapedString>;
    /** Address of a script of our own. */
    script?: string;
    /** The policy's form-action source. */
    formAction?: string;
    status?: 200 | 400 | 404 | 500 | 503;
  },
) {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    page.script ? "script-src 'self'" : "script-src 'none'",
    `form-action ${page.formAction ?? "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "frame-src 'self'",
  ];
  context.header("Content-Security-Policy", policy.join("; "));
  context.header("Cache-Control", "no-store");
  return context.html(
    html`<!doctype html>
      <html lang="en-IN">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${page.title}</title>
          ${styles} ${page.script ? html`<script src="${page.script}" defer></script>` : ""}
        </head>
        <body>
          <main>
            <p class="brand">${brand.name}</p>
            ${page.body}
          </main>
        </body>
      </html>`,
    page.status ?? 200,
  );
}
