import { html, raw } from "hono/html";
import type { Brand } from "../../contract/brand.ts";

/** One mail: what an inbox's list shows, and the body's parts in order. */
export interface MailBody {
  subject: string;
  /** Mail programs show it beside the subject. */
  preview: string;
  heading: string;
  greeting: string;
  parts: MailPart[];
}

export type MailPart =
  | { text: string }
  | { code: string }
  | { button: string; link: string }
  | { facts: [name: string, value: string][] }
  /** With `link`, the address follows the text. */
  | { small: string; link?: string };

const font = raw("font-family:Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif");
const ink = "#101828";
const muted = "#4a5568";
const buttonColour = "#1d5bc4";

// For mail programs that follow the device's colour scheme.
const darkMode = html`<style>
  @media (prefers-color-scheme: dark) {
    .canvas {
      background: #0f141d !important;
    }
    .sheet {
      background: #171d29 !important;
      border-color: #2c3444 !important;
    }
    .ink {
      color: #eef2f9 !important;
    }
    .muted {
      color: #a9b4c6 !important;
    }
    .well {
      background: #0f141d !important;
      border-color: #2c3444 !important;
    }
  }
  @media (max-width: 480px) {
    .inner {
      padding: 28px 20px !important;
    }
  }
</style>`;

/** Renders the body as HTML for mail programs (tables, inline styles) and as plain text. */
export async function layOut(body: MailBody, brand: Brand): Promise<{ subject: string; html: string; text: string }> {
  return { subject: body.subject, html: `<!doctype html>${await toHtml(body, brand)}`, text: toText(body, brand) };
}

function toHtml({ subject, preview, heading, greeting, parts }: MailBody, brand: Brand) {
  return html`<html lang="en-IN">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <title>${subject}</title>
      ${darkMode}
    </head>
    <body class="canvas" style="margin:0;padding:0;background:#f6f8fb">
      <div style="display:none;max-height:0;overflow:hidden">${preview}</div>
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="canvas" style="background:#f6f8fb">
        <tr>
          <td align="center" style="padding:32px 12px">
            <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
              <tr>
                <td class="ink" style="${font};font-size:18px;font-weight:700;color:${ink};padding:0 8px 16px">
                  <span
                    style="display:inline-block;width:10px;height:10px;border-radius:3px;background:${brand.themeColour};margin-right:8px"
                  ></span
                  >${brand.name}
                </td>
              </tr>
              <tr>
                <td
                  class="sheet inner"
                  style="background:#ffffff;border:1px solid #dfe5ee;border-radius:14px;padding:36px 40px;word-break:break-word;overflow-wrap:anywhere"
                >
                  <h1 class="ink" style="${font};font-size:22px;line-height:1.3;margin:0 0 16px;color:${ink}">
                    ${heading}
                  </h1>
                  <p class="ink" style="${font};font-size:15px;line-height:1.6;margin:0 0 14px;color:${ink}">
                    ${greeting}
                  </p>
                  ${parts.map(partToHtml)}
                </td>
              </tr>
              ${footer(brand)}
            </table>
          </td>
        </tr>
      </table>
    </body>
  </html>`;
}

function footer(brand: Brand) {
  return html`<tr>
    <td class="muted" style="${font};font-size:12px;line-height:1.6;color:${muted};padding:18px 8px">
      ${brand.legalName}<br />${brand.address}<br />Questions? Write to
      <a href="mailto:${brand.emails.support}" class="muted" style="color:${muted}">${brand.emails.support}</a
      >.${brand.isSample ? " This is a sample company: none of its details are real." : ""}
    </td>
  </tr>`;
}

function partToHtml(part: MailPart) {
  if ("text" in part)
    return html`<p class="ink" style="${font};font-size:15px;line-height:1.6;margin:0 0 14px;color:${ink}">
      ${part.text}
    </p>`;
  if ("small" in part)
    return html`<p class="muted" style="${font};font-size:13px;line-height:1.6;margin:18px 0 0;color:${muted}">
      ${part.small}
      ${part.link ? html`<a href="${part.link}" class="muted" style="color:${muted}">${part.link}</a>` : ""}
    </p>`;
  if ("code" in part)
    return html`<div
      class="well ink"
      style="${font};font-size:32px;font-weight:700;letter-spacing:8px;text-align:center;color:${ink};background:#f6f8fb;border:1px solid #dfe5ee;border-radius:10px;padding:18px 0;margin:8px 0 18px"
    >
      ${part.code}
    </div>`;
  if ("button" in part)
    return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:10px 0 18px">
      <tr>
        <td style="border-radius:10px;background:${buttonColour}">
          <a
            href="${part.link}"
            style="${font};display:inline-block;padding:13px 24px;font-size:15px;font-weight:600;color:#ffffff;text-decoration:none"
            >${part.button}</a
          >
        </td>
      </tr>
    </table>`;
  return html`<table
    role="presentation"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    class="well"
    style="background:#f6f8fb;border:1px solid #dfe5ee;border-radius:10px;margin:8px 0 18px;word-break:normal;overflow-wrap:normal"
  >
    ${part.facts.map(
      ([name, value]) =>
        html`<tr>
          <td class="muted" style="${font};font-size:13px;color:${muted};padding:9px 0 9px 16px;vertical-align:top">
            ${name}
          </td>
          <td
            class="ink"
            align="right"
            style="${font};font-size:14px;font-weight:600;color:${ink};padding:9px 16px${breaking(value)}"
          >
            ${value}
          </td>
        </tr>`,
    )}
  </table>`;
}

/** Keeps amounts and dates unbroken; a long name without spaces would make the mail wider than a phone. */
const breaking = (value: string) => (/\S{25}/.test(value) ? ";overflow-wrap:anywhere;word-break:break-word" : "");

function toText({ heading, greeting, parts }: MailBody, brand: Brand): string {
  const said = parts.map((part) => {
    if ("text" in part) return part.text;
    if ("small" in part) return [part.small, part.link].filter(Boolean).join(" ");
    if ("code" in part) return `    ${part.code}`;
    if ("button" in part) return `${part.button}:\n${part.link}`;
    return part.facts.map(([name, value]) => `${name}: ${value}`).join("\n");
  });
  const sample = brand.isSample ? ["This is a sample company: none of its details are real."] : [];
  return [
    heading,
    greeting,
    ...said,
    "--",
    brand.legalName,
    brand.address,
    `Questions? ${brand.emails.support}`,
    ...sample,
  ].join("\n\n");
}
