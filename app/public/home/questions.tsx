import { Link } from "react-router";
import { faqTopics } from "../../../contract/faq.ts";
import site from "../site.module.css";
import classes from "./questions.module.css";

/** Questions and answers as native disclosure elements: one answer open at a time, with or without script. */
export function Questions() {
  return (
    <section className={site.tinted} aria-labelledby="questions">
      <div className={`${site.container} ${site.section} ${classes.layout}`}>
        <div className={classes.aside}>
          <h2 id="questions" className={site.title}>
            Questions buyers ask
          </h2>
          <p className={site.muted}>
            Yours is not here?{" "}
            <Link to="/contact" className={site.link}>
              Ask us
            </Link>
            , and a person answers.
          </p>
        </div>
        <div className={classes.topics}>
          {faqTopics().map(({ title, faqs }) => (
            <div key={title}>
              <h3 className={classes.topic}>{title}</h3>
              {faqs.map(({ question, answer }) => (
                <details key={question} name="faq" className={classes.faq}>
                  <summary>{question}</summary>
                  <p>{answer}</p>
                </details>
              ))}
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
