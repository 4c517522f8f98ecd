import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

/** Every address of the site, grouped by audience. */
export default [
  layout("public/layout.tsx", [
    index("public/home.tsx"),
    route("about", "public/about.tsx"),
    route("ServiceDelivery", "public/service-delivery.tsx"),
    route("GCPSecurity", "public/compliance.tsx"),
    route("privacy-policy", "public/privacy-policy.tsx"),
    route("buyers-guide", "public/buyers-guide.tsx"),
    route("blog/:blogId", "public/blog-post.tsx"),
    layout("public/interactive.tsx", [
      route("contact", "public/contact.tsx"),
      route("blog", "public/blog.tsx"),
      route("LogInjection", "public/log-sources.tsx"),
      route("estimator", "public/estimator.tsx"),
      route("login", "sign-in/login.tsx"),
      route("forgot-password", "sign-in/forgot-password.tsx"),
      route("reset-password", "sign-in/reset-password.tsx"),
      route("accept-invite", "sign-in/accept-invite.tsx"),
    ]),
    route("*", "public/not-found.tsx"),
  ]),
  route("user", "customer/layout.tsx", [
    index("customer/dashboard.tsx", { id: "customer-index" }),
    route("dashboard", "customer/dashboard.tsx"),
    route("estimator", "customer/estimator.tsx"),
    route("myquote", "customer/my-quotes.tsx"),
    route("orderhistory", "customer/order-history.tsx"),
    route("myuser", "customer/my-users.tsx"),
    route("payment", "customer/payment-result.tsx"),
    route("account-settings", "account/account-settings.tsx", { id: "customer-account-settings" }),
  ]),
  route("partner", "partner/layout.tsx", [
    index("partner/dashboard.tsx", { id: "partner-index" }),
    route("dashboard", "partner/dashboard.tsx"),
    route("listuser", "partner/customer-list.tsx"),
    route("addmyuser", "partner/my-users.tsx"),
    route("account-settings", "account/account-settings.tsx", { id: "partner-account-settings" }),
  ]),
  route("admin", "admin/layout.tsx", [
    index("admin/dashboard.tsx", { id: "admin-index" }),
    route("dashboard", "admin/dashboard.tsx"),
    route("customerList", "admin/customer-list.tsx"),
    route("partnerList", "admin/partner-list.tsx"),
    route("orderData", "admin/order-data.tsx"),
    route("estimateOrder", "admin/estimate-orders.tsx"),
    route("addmyuser", "admin/my-users.tsx"),
    route("rate-card", "admin/rate-card.tsx"),
    route("account-settings", "account/account-settings.tsx", { id: "admin-account-settings" }),
  ]),
  route("partner-dashboard", "admin/partner-dashboard-layout.tsx", [route(":email", "admin/partner-dashboard.tsx")]),
] satisfies RouteConfig;
