//! Whom TLS believes: the roots that browsers know, and those of SSL_CERT_FILE for a private authority.

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

pub fn config() -> Result<ClientConfig, String> {
    let mut roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    if let Some(path) = std::env::var_os("SSL_CERT_FILE").filter(|v| !v.is_empty()) {
        let shown = std::path::Path::new(&path).display().to_string();
        let wrong =
            |why: String| format!("SSL_CERT_FILE names {shown}, which cannot be used ({why}); name a PEM file.");
        for certificate in CertificateDer::pem_file_iter(&path).map_err(|e| wrong(e.to_string()))? {
            roots
                .add(certificate.map_err(|e| wrong(e.to_string()))?)
                .map_err(|e| wrong(e.to_string()))?;
        }
    }
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| e.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(config)
}
