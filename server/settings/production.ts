// Set however the product is started: React's development build, loaded with the pages, renders at half the speed, and
// a mix of both builds not at all. So this module is imported first, before any that reads NODE_ENV.
process.env["NODE_ENV"] ??= "production";
