import { brand } from "../../contract/brand.ts";
import { cookiePolicyVersion, currentNotice, noticeDay, termsVersion } from "../../contract/privacy-notice.ts";
import { cookiePolicy } from "../content/cookie-policy.tsx";
import { type PolicySection, privacyPolicy } from "../content/privacy-policy.tsx";
import { termsOfService } from "../content/terms.tsx";
import classes from "./privacy-policy.module.css";
import { pageMeta } from "../content/page-meta.ts";
import site from "./site.module.css";

export const handle = { reads: true };

export const meta = () =>
  pageMeta(
    "/privacy-policy",
    `Privacy Policy – ${brand.name}`,
    `What ${brand.name} stores about you, why and for how long; terms of service and cookie policy.`,
  );

const parts = [
  { id: "privacy", title: "Privacy notice", sections: privacyPolicy },
  { id: "terms", title: "Terms of Service", sections: termsOfService },
  { id: "cookies", title: "Cookie Policy", sections: cookiePolicy },
] as const;

export default function PrivacyPolicyPage() {
  return (
    <main id="main" className={`${site.container} ${site.section}`}>
      <div className={classes.head}>
        <h1 className={site.display}>Privacy Policy</h1>
        <p className={site.lead}>With our Terms of Service and Cookie Policy.</p>
        <p className={site.muted}>
          Privacy notice: version of <time dateTime={currentNotice}>{noticeDay(currentNotice)}</time>
        </p>
        <p className={site.muted}>
          Terms of Service: version of <time dateTime={termsVersion}>{noticeDay(termsVersion)}</time>
        </p>
        <p className={site.muted}>
          Cookie Policy: version of <time dateTime={cookiePolicyVersion}>{noticeDay(cookiePolicyVersion)}</time>
        </p>
        {brand.isSample && (
          <p className={classes.sample}>
            <strong>Sample company.</strong> {brand.legalName} does not exist. The text says what this product stores
            and does; it binds nobody, and a real provider has it checked by counsel.
          </p>
        )}
      </div>
      <div className={classes.columns}>
        <Contents />
        <div>
          {parts.map((part) => (
            <section key={part.id} id={part.id} aria-labelledby={`${part.id}-title`} className={classes.part}>
              <h2 id={`${part.id}-title`} className={site.title}>
                {part.title}
              </h2>
              {part.sections.map((section) => (
                <Section key={section.id} {...section} />
              ))}
            </section>
          ))}
        </div>
      </div>
    </main>
  );
}

function Contents() {
  return (
    <nav aria-label="On this page" className={classes.contents}>
      <details open>
        <summary>On this page</summary>
        <ul>
          {parts.map(({ id, title, sections }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
              <ul>
                {sections.map((section) => (
                  <li key={section.id}>
                    <a href={`#${section.id}`}>{section.title}</a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

function Section({ id, title, text }: PolicySection) {
  return (
    <section id={id} className={classes.text}>
      <h3 className={site.subtitle}>{title}</h3>
      {text}
    </section>
  );
}
