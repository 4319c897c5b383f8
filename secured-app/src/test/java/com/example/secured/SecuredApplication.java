package com.example.secured;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Its endpoints are for users with the role OPS. */
@SpringBootApplication
public class SecuredApplication {

    static final String PASSWORD = "{noop}secret";

    private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/**")
                        .hasRole("OPS")
                        .anyRequest()
                        .authenticated())
                .csrf(csrf -> csrf.ignoringRequestMatchers("/actuator/**"))
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername("ops").password(PASSWORD).roles("OPS").build(),
                User.withUsername("clerk").password(PASSWORD).roles("USER").build());
    }

    @EventListener
    void audited(AuditApplicationEvent event) {
        audited.add(event.getAuditEvent());
    }

    List<AuditEvent> audited() {
        return audited;
    }
}
