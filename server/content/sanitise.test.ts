import { assert, constantFrom, array, property } from "fast-check";
import { describe, expect, it, test } from "vitest";
import { sanitise, textOf } from "./sanitise.ts";

describe("what could run, load or style something is left out", () => {
  test.each([
    ["a script", `<p>a<script>alert(1)</script>b</p>`, "<p>ab</p>"],
    ["a script in capitals that is never closed", `<p>a</p><SCRIPT SRC=//evil.example>alert(1)`, "<p>a</p>"],
    ["a script within what is taken away", `<scr<script>ipt>alert(1)</script>`, "ipt&gt;alert(1)"],
    ["an event handler", `<p onclick="alert(1)" ONMOUSEOVER=alert(1)>a</p>`, "<p>a</p>"],
    ["an image whose error runs", `<img src=x onerror=alert(1)>`, ""],
    ["a javascript: link", `<a href="javascript:alert(1)">a</a>`, "<a>a</a>"],
    ["a disguised javascript: link", `<a href=" jAvA&#x09;script&colon;alert(1)">a</a>`, "<a>a</a>"],
    ["a data: link", `<a href="data:text/html,<script>alert(1)</script>">a</a>`, "<a>a</a>"],
    ["a data: image", `<img src="data:image/svg+xml,<svg onload=alert(1)>" alt="a">`, ""],
    ["an http link", `<a href="http://example.in">a</a>`, "<a>a</a>"],
    ["a link without a scheme to another host", `<a href="//evil.example">a</a>`, "<a>a</a>"],
    ["the same with a backslash", `<a href="/\\evil.example">a</a>`, "<a>a</a>"],
    ["an image of another host", `<img src="https://evil.example/a.png">`, ""],
    ["svg with what is in it", `<svg><animate onbegin=alert(1) /><text>x</text></svg><p>a</p>`, "<p>a</p>"],
    ["math with what is in it", `<math><mtext><img src=x onerror=alert(1)></mtext></math><p>a</p>`, "<p>a</p>"],
    ["a style sheet", `<style>body{display:none}</style><p>a</p>`, "<p>a</p>"],
    ["style, class and id", `<p style="position:fixed" class="x" id="y">a</p>`, "<p>a</p>"],
    ["a frame", `<iframe srcdoc="<script>alert(1)</script>">x</iframe><p>a</p>`, "<p>a</p>"],
    ["an object and an embed", `<object data="/x"><embed src="/x"></object><p>a</p>`, "<p>a</p>"],
    ["a form", `<form action="https://evil.example"><input name=a><button>b</button></form>`, "b"],
    [
      "a base and a refresh",
      `<base href="//evil.example"><meta http-equiv=refresh content="0;url=//evil.example">`,
      "",
    ],
    ["a comment", `<!--<img src=x onerror=alert(1)>--><p>a</p>`, "<p>a</p>"],
    ["a template", `<template><script>alert(1)</script></template><p>a</p>`, "<p>a</p>"],
    [
      "what only lacks a script to be read",
      `<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
      "",
    ],
  ])("%s", (_what, given, left) => {
    expect(sanitise(given)).toBe(left);
  });

  it("whatever is put together, however it is nested", () => {
    const pieces = constantFrom(
      ...[
        ["<p>", "</p>", "<svg>", "</svg>", "<math>", "<style>", "</style>", "<!--", "-->", "<script>", "</script>"],
        [`<img src=x onerror=alert(1)>`, `<a href="javascript:alert(1)">`, "</a>", "<table>", "<td>", "<template>"],
        [`<p title="`, `">`, "<noscript>", "</noscript>", "<textarea>", "</textarea>", "<iframe>", "<title>", "a", "<"],
        ["<![CDATA[", "]]>", "<xmp>", "<h2>", "</h2>", "<plaintext>", "&lt;script&gt;", "\0"],
      ].flat(),
    );
    assert(
      property(array(pieces, { maxLength: 12 }), (nested) => {
        const clean = sanitise(nested.join(""));
        expect(clean).not.toMatch(/<(?!\/?(?:h2|p|a|table|tbody|tr|td|img)\b)/);
        expect(clean).not.toMatch(/<[^>]*(?:\son\w+\s*=|javascript:|\sstyle=|\sclass=|\stitle=)/i);
        expect(sanitise(clean), "a second time changes nothing").toBe(clean);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("what a text is made of stays", () => {
  test.each([
    `<h2>a</h2><h3>b</h3><p>c <strong>d</strong> <em>e</em></p>`,
    `<ul><li>a</li></ul><ol start="3"><li>b</li></ol>`,
    `<blockquote><p>a</p></blockquote><pre><code>a &lt; b &amp;&amp; c</code></pre>`,
    `<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>`,
    `<figure><img src="/images/a.svg" alt="a" width="10" height="20" loading="lazy" /><figcaption>b</figcaption></figure>`,
    `<p><a href="https://www.cert-in.org.in/?a=1&amp;b=2" rel="noopener">a</a> <a href="/contact">b</a></p>`,
  ])("%s", (html) => {
    expect(sanitise(html)).toBe(html);
  });

  it("in the site's own words: a first heading becomes a second one, b becomes strong", () => {
    expect(sanitise("<h1>a</h1><p><b>b</b> <i>c</i></p>")).toBe("<h2>a</h2><p><strong>b</strong> <em>c</em></p>");
  });
});

test("The text of a page keeps its words apart", () => {
  expect(textOf("<h2>One</h2><ul><li>two</li><li>three</li></ul>\n<p>four&nbsp;five</p>")).toBe(
    "One two three four five",
  );
});
