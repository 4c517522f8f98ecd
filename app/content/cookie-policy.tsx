import { limits } from "../../contract/limits.ts";
import type { PolicySection } from "./privacy-policy.tsx";

/** What this site stores in a browser. Each key here is one that the code writes: change both together. */
export const cookiePolicy: readonly PolicySection[] = [
  {
    id: "cookies-none",
    title: "No cookies, no trackers",
    text: (
      <p>
        This site sets no cookies. It loads no analytics, advertising, fonts, maps or videos from anyone else: all that
        you see comes from this address, and the pages forbid your browser anything else. So there is no cookie banner,
        as there is nothing to consent to.
      </p>
    ),
  },
  {
    id: "cookies-storage",
    title: "What is kept in your browser",
    text: (
      <>
        <p>
          A few entries are kept in your browser’s own storage, because what you asked for would not work without them:
        </p>
        <div role="region" aria-label="What is kept in your browser" tabIndex={0}>
          <table aria-label="What is kept in your browser">
            <thead>
              <tr>
                <th scope="col">Entry</th>
                <th scope="col">What for</th>
                <th scope="col">Until</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">
                  <code>isAuthenticated</code>, <code>token</code>, <code>email</code>
                </th>
                <td data-column="What for">Keeping you signed in; the token is sent to this site only</td>
                <td data-column="Until">You sign out; the token is worthless after {limits.sessionHours} hours</td>
              </tr>
              <tr>
                <th scope="row">
                  <code>estimate-draft</code>
                </th>
                <td data-column="What for">
                  The devices you counted and the form you began, so that a reload loses nothing
                </td>
                <td data-column="Until">
                  The form is emptied when it is sent; you remove the rest by clearing the site’s data
                </td>
              </tr>
              <tr>
                <th scope="row">
                  <code>estimate-draft of …</code>
                </th>
                <td data-column="What for">The same of an estimate that a partner begins for one of its customers</td>
                <td data-column="Until">You close the tab</td>
              </tr>
              <tr>
                <th scope="row">
                  <code>recentlyOpened</code>
                </th>
                <td data-column="What for">
                  What you opened last by searching a portal, to offer it again, with your e-mail address, so that it is
                  shown to nobody else
                </td>
                <td data-column="Until">You sign out</td>
              </tr>
              <tr>
                <th scope="row">
                  <code>bannerRoom</code>
                </th>
                <td data-column="What for">
                  How high the announcements were in your window, so that the screen does not jump when they come
                </td>
                <td data-column="Until">You sign out, or there are no announcements</td>
              </tr>
              <tr>
                <th scope="row">
                  <code>onboardingOpen</code>
                </th>
                <td data-column="What for">
                  That your onboarding is under way, so that the navigation does not move when its entry comes
                </td>
                <td data-column="Until">Your onboarding has ended, or you clear the site’s data</td>
              </tr>
              <tr>
                <th scope="row">
                  <code>typed:…</code>
                </th>
                <td data-column="What for">
                  What you have typed in a portal and not sent or saved, such as a report about an incident, a reason or
                  an article of the blog, with your e-mail address, so that a reload or a new sign-in loses nothing
                </td>
                <td data-column="Until">It is sent, saved or cancelled, you sign out, or the tab is closed</td>
              </tr>
              <tr>
                <th scope="row">
                  <code>sidebarCollapsed</code>
                </th>
                <td data-column="What for">Whether the portal’s side navigation is narrow</td>
                <td data-column="Until">You clear the site’s data</td>
              </tr>
              <tr>
                <th scope="row">
                  <code>react-router-scroll-positions</code>
                </th>
                <td data-column="What for">Where you were on a page when you go back to it</td>
                <td data-column="Until">You close the tab</td>
              </tr>
            </tbody>
          </table>
        </div>
        <p>
          You may clear all of it in your browser’s settings at any time: you are then signed out, and what you had
          begun and not sent or saved is gone; nothing else happens.
        </p>
      </>
    ),
  },
  {
    id: "cookies-elsewhere",
    title: "Elsewhere",
    text: (
      <p>
        When you pay, or follow a link to another site, that site’s own rules on cookies apply. The payment page is
        PayU’s.
      </p>
    ),
  },
];
