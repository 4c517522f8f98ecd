import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

/** Every address of the site, grouped by audience. */
export default [
  layout("public/layout.tsx", [
    index("public/home.tsx"),
    route("estimator", "public/estimator.tsx"),
    route("login", "sign-in/login.tsx"),
    route("forgot-password", "sign-in/forgot-password.tsx"),
    route("reset-password", "sign-in/reset-password.tsx"),
    route("accept-invite", "sign-in/accept-invite.tsx"),
    route("*", "public/not-found.tsx"),
  ]),
  route("user", "customer/layout.tsx", [
    index("customer/dashboard.tsx", { id: "customer-index" }),
    route("dashboard", "customer/dashboard.tsx"),
    route("estimator", "customer/estimator.tsx"),
    route("myquote", "customer/my-quotes.tsx"),
    route("orderhistory", "customer/order-history.tsx"),
    route("payment", "customer/payment-result.tsx"),
    route("account-settings", "account/account-settings.tsx", { id: "customer-account-settings" }),
  ]),
  route("partner", "partner/layout.tsx", [
    index("partner/dashboard.tsx", { id: "partner-index" }),
    route("dashboard", "partner/dashboard.tsx"),
    route("account-settings", "account/account-settings.tsx", { id: "partner-account-settings" }),
  ]),
  route("admin", "admin/layout.tsx", [
    index("admin/dashboard.tsx", { id: "admin-index" }),
    route("dashboard", "admin/dashboard.tsx"),
    route("account-settings", "account/account-settings.tsx", { id: "admin-account-settings" }),
  ]),
] satisfies RouteConfig;
