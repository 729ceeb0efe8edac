use super::*;

fn towards(app: &str, variables: &[(&str, &str)]) -> Result<Option<Proxy>, ProxyError> {
    Proxy::towards(&app.parse().unwrap(), |name| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    })
}

fn shown(app: &str, variables: &[(&str, &str)]) -> Option<String> {
    towards(app, variables).unwrap().map(|proxy| proxy.to_string())
}

#[test]
fn each_scheme_has_its_variable_in_either_case() {
    let both = [("HTTPS_PROXY", "http://s:1"), ("http_proxy", "p:2")];
    assert_eq!(shown("https://a.example", &both).unwrap(), "http://s:1");
    assert_eq!(shown("http://a.example", &both).unwrap(), "http://p:2");
    let empty = [("HTTPS_PROXY", " "), ("https_proxy", "https://t:3")];
    assert_eq!(shown("https://a.example", &empty).unwrap(), "https://t:3");
    assert_eq!(shown("https://a.example", &[("HTTP_PROXY", "http://p")]), None);
    assert_eq!(shown("https://a.example", &[]), None);
}

#[test]
fn loopback_is_never_proxied() {
    let set = [("HTTPS_PROXY", "http://p"), ("HTTP_PROXY", "http://p")];
    for app in [
        "http://127.0.0.1:4270",
        "http://localhost",
        "https://[::1]:4270",
        "https://127.9.9.9",
    ] {
        assert_eq!(shown(app, &set), None, "{app}");
    }
}

#[test]
fn no_proxy_has_hosts_domains_ports_addresses_networks_and_a_star() {
    let bypassed = |app: &str, list: &str| {
        let set = [("HTTPS_PROXY", "http://p"), ("no_proxy", list)];
        shown(app, &set).is_none()
    };
    for (app, list) in [
        ("https://rig.example.com", "rig.example.com"),
        ("https://RIG.example.com", "rig.EXAMPLE.com"),
        ("https://rig.example.com", "example.com"),
        ("https://rig.example.com", "other, .example.com"),
        ("https://rig.example.com", "other *.example.com"),
        ("https://rig.example.com", "*"),
        ("https://rig.example.com", "example.com:443"),
        ("https://rig.example.com:8443", "rig.example.com:8443"),
        ("https://10.1.2.3", "10.1.2.3"),
        ("https://10.1.2.3:8443", "10.0.0.0/8"),
        ("https://10.1.2.3:8443", "10.1.2.3:8443"),
        ("https://[fd00::7]", "fd00::/8"),
        ("https://[fd00::7]", "[fd00::7]"),
        ("https://[fd00::7]:8443", "[fd00::7]:8443"),
    ] {
        assert!(bypassed(app, list), "{app} {list}");
    }
    for (app, list) in [
        ("https://rig.example.com", ""),
        ("https://rig.example.com", "ig.example.com"),
        ("https://rig.example.com", "example.com:8443"),
        ("https://rig.example.com", "rig.example.com.evil"),
        ("https://11.1.2.3", "10.0.0.0/8"),
        ("https://10.1.2.3", "10.1.2.3:8443"),
        ("https://[fd00::7]", "fd00::8,[fd00::7]:8443"),
    ] {
        assert!(!bypassed(app, list), "{app} {list}");
    }
}

#[test]
fn the_password_is_sent_and_never_shown() {
    let set = [("HTTPS_PROXY", "http://me:s%40cret@proxy:3128/")];
    let proxy = towards("https://a.example", &set).unwrap().unwrap();
    assert_eq!(proxy.authorization().unwrap(), "Basic bWU6c0BjcmV0");
    let status = StatusCode::PROXY_AUTHENTICATION_REQUIRED;
    for text in [
        proxy.to_string(),
        format!("{proxy:?}"),
        proxy.refusal(status, "a.example:443".into()).to_string(),
        format!("{:?}", proxy.refusal(StatusCode::FORBIDDEN, "a.example:443".into())),
    ] {
        assert!(text.contains("http://proxy:3128"), "{text}");
        assert!(!text.contains("cret") && !text.contains("me:"), "{text}");
    }
}

#[test]
fn what_is_no_http_proxy_is_refused_without_its_password() {
    for wrong in [
        "socks5://me:secret@p:1080",
        "http://me:secret@x@p",
        "http://me:sec ret@p",
        "http://",
    ] {
        let refused = towards("https://a.example", &[("https_proxy", wrong)]).unwrap_err();
        let text = refused.to_string();
        assert!(text.starts_with("https_proxy is not the address"), "{wrong}: {text}");
        assert!(!text.contains("ret"), "{text}");
    }
    // Nobody asks it where NO_PROXY says so.
    let excepted = [("https_proxy", "nonsense:"), ("NO_PROXY", "*")];
    assert_eq!(shown("https://a.example", &excepted), None);
}
