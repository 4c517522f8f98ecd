import { brand } from "../../contract/brand.ts";
import { hasShippedOffices } from "../../contract/shipped-offices.ts";
import classes from "./contact.module.css";
import { ContactForm } from "./contact/contact-form.tsx";
import { OfficeMap } from "./contact/office-map.tsx";
import { pageMeta } from "../content/page-meta.ts";
import site from "./site.module.css";

export const meta = () =>
  pageMeta(
    "/contact",
    `Contact – ${brand.name}`,
    `Ask for a demo or a call back, or write to ${brand.name}: e-mail, phone numbers and offices${hasShippedOffices() ? " in Bengaluru and Dubai" : ""}.`,
  );

export default function Contact() {
  return (
    <main id="main" className={`${site.container} ${site.section}`}>
      <div className={site.head}>
        <h1 className={site.display}>Talk to us, or ask for a demo</h1>
        <p className={site.lead}>
          Tell us what you run and what worries you. We write back to the address you give, or call.
        </p>
      </div>
      <div className={classes.columns}>
        <ContactForm />
        <aside className={classes.aside} aria-label="Ways to reach us">
          <dl className={classes.ways}>
            <div>
              <dt>E-mail</dt>
              <dd>
                <a href={`mailto:${brand.emails.sales}`}>{brand.emails.sales}</a>
              </dd>
            </div>
            <div>
              <dt>Phone</dt>
              {brand.phones.map((phone) => (
                <dd key={phone}>
                  <a href={`tel:${phone.replaceAll(" ", "")}`} className="tabular">
                    {phone}
                  </a>
                </dd>
              ))}
            </div>
          </dl>
          {hasShippedOffices() && <OfficeMap />}
          <div className={classes.offices}>
            {brand.offices.map(({ title, lines }) => (
              <section key={title}>
                <h2>{title}</h2>
                <address>
                  {lines.map((line) => (
                    <span key={line}>{line}</span>
                  ))}
                </address>
              </section>
            ))}
          </div>
          {brand.isSample && (
            <p className={classes.sample}>Sample company: these numbers and addresses do not exist.</p>
          )}
        </aside>
      </div>
    </main>
  );
}
