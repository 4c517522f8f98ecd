import { Link, NavLink } from "react-router";
import { brand } from "../../../contract/brand.ts";
import { useSession } from "../../session.ts";
import { Logo } from "../../components/logo.tsx";
import classes from "./site-footer.module.css";
import { siteLinks } from "./site-links.ts";

const login = { to: "/login", label: "Login" };
const columns = [
  { title: "Service", links: [...siteLinks.slice(1), { to: "/buyers-guide", label: "Buyer’s guide" }, login] },
  {
    title: "Company",
    links: [
      { to: "/about", label: "About" },
      { to: "/blog", label: "Blog" },
      { to: "/contact", label: "Contact" },
    ],
  },
  {
    title: "Legal",
    links: [
      { to: "/privacy-policy", label: "Privacy Policy" },
      { to: "/privacy-policy#terms", label: "Terms of Service" },
      { to: "/privacy-policy#cookies", label: "Cookie Policy" },
    ],
  },
];

export function SiteFooter() {
  const { isAuthenticated } = useSession();
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <div className={classes.about}>
          <Logo />
          <p>A security operations centre by subscription, priced by the devices it watches.</p>
          <p>
            <a href={`mailto:${brand.emails.sales}`}>{brand.emails.sales}</a>
          </p>
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={title} className={classes.column}>
            <h2>{title}</h2>
            {links
              .filter((link) => link !== login || !isAuthenticated)
              .map(({ to, label }) => (
                <FooterLink key={label} to={to} label={label} />
              ))}
          </nav>
        ))}
        <nav aria-label="Elsewhere" className={classes.column}>
          <h2>Elsewhere</h2>
          {brand.externalPages.map(({ label, href }) => (
            <a key={href} href={href} rel="noopener">
              {label}
            </a>
          ))}
        </nav>
      </div>
      <div className={classes.legal}>
        <p>
          © {brand.legalName}, {brand.address}
        </p>
        {brand.isSample && <p>Sample company: the name, numbers and addresses on this site are for demonstration.</p>}
      </div>
    </footer>
  );
}

/** Marks the current page; links to a part of a page are never marked. */
function FooterLink({ to, label }: { to: string; label: string }) {
  if (to.includes("#")) return <Link to={to}>{label}</Link>;
  return (
    <NavLink to={to} end={to === "/"}>
      {label}
    </NavLink>
  );
}
